import type { Action } from '../core/words/action.ts'
import type { Fields } from './call-input.ts'
import { waitCall } from './code-mode.ts'
import {
  deleteCall,
  editCall,
  insertCall,
  moveCall,
  notebookEditCall,
  readCall,
  readFileCall,
  readFilesCall,
  writeCall,
} from './file-calls.ts'
import { parsePatch } from './patch.ts'
import {
  fetchCall,
  fetchPagesCall,
  globCall,
  listFolderCall,
  listTreeCall,
  searchCall,
  searchFilesCall,
  webSearchCall,
} from './search-calls.ts'
import { continuedShellCall, shellCall, shellLinesCall } from './shell-calls.ts'
import {
  listReadCall,
  listWriteCall,
  subagentCall,
  taskCreateCall,
  taskUpdateCall,
} from './task-calls.ts'
import { createCall, textEditorCall, viewCall } from './text-editor.ts'
import { toolNameCandidates } from './tool-name.ts'

/** Reads the input of a tool; null if it does not have the tool's shape. */
export type ToolReader = (fields: Fields) => Action | null

/** By name in lower case without separators, so `read_file`, `ReadFile` and `readFile` are the same. */
const readers: ReadonlyMap<string, ToolReader> = new Map([
  ...named('read notebookread readtextfile readmediafile viewimage readmcpfile catfile', readCall),
  ...named('readmanyfiles readmultiplefiles openfile viewfile getfilecontents', readCall),
  ...named('readfile', readFileCall),
  ...named('readfiles', readFilesCall),
  ...named('view open showfile', viewCall),
  ...named('write writefile writetofile createfile savefile newfile', writeCall),
  ...named('create', createCall),
  ...named('edit multiedit replace editfile strreplace searchreplace replaceinfile', editCall),
  ...named('multieditfile applyedits edittext multireplacestringinfile', editCall),
  ...named('replacestringinfile', editCall),
  ...named('insert insertcontent insertatline', insertCall),
  ...named('notebookedit editnotebook', notebookEditCall),
  ...named('applypatch patch applydiff', patchCall),
  ...named('strreplaceeditor strreplacebasededittool texteditor editor', textEditorCall),
  ...named('bash shell shellcommand localshell localshellcall execcommand exec', shellCall),
  ...named('runshellcommand runcommand executecommand runterminalcmd terminal', shellCall),
  ...named(
    'runinterminal executebash containerexec powershell runbash bashtool monitor',
    shellCall,
  ),
  ...named('runcommands', shellLinesCall),
  ...named('writestdin readbash writebash stopbash listbash bashoutput killshell', continued),
  ...named('killbash taskoutput taskstop readpowershell writepowershell', continued),
  ...named('stoppowershell listpowershell getterminaloutput readbackgroundoutput', continued),
  ...named('wait', waitCall),
  ...named('grep rg ripgrep search searchfilecontent grepsearch grepfiles searchcode', searchCall),
  ...named(
    'searchfile searchdir searchtext contentsearch codebasesearch searchcodebase',
    searchCall,
  ),
  ...named('glob find findfile findfiles filesearch globfiles', globCall),
  ...named('searchfiles', searchFilesCall),
  ...named('deletefile removefile', deleteCall),
  ...named('movefile renamefile', moveCall),
  ...named('ls list listdirectory listdir listfiles listdirectorywithsizes', listFolderCall),
  ...named('directorytree tree', listTreeCall),
  ...named('webfetch fetch fetchurl fetchwebpage urlfetch readurl browse openurl', fetchCall),
  ...named('fetchwebcontent', fetchPagesCall),
  ...named('websearch googlewebsearch searchweb websearchcall codesearch', webSearchCall),
  ...named('websearchexa internetsearch', webSearchCall),
  ...named('todowrite writetodos updateplan updatetodo settodolist todolist', listWriteCall),
  ...named('updatetodolist managetodolist', listWriteCall),
  ...named('todoread readtodos tasklist taskget gettodos', listReadCall),
  ...named('taskcreate', taskCreateCall),
  ...named('taskupdate', taskUpdateCall),
  ...named('task agent subagent spawnagent delegatetask runsubagent newtask', subagentCall),
  ...named('delegatetoagent dispatchagent codebaseinvestigator', subagentCall),
])

/** True for the agent's own shell tool. A tool of an MCP server may run commands elsewhere. */
export function isShellTool(tool: string): boolean {
  const { plain, foreign } = toolNameCandidates(tool)
  return !foreign && plain.some((name) => shellReaders.has(readers.get(name)))
}

const shellReaders: ReadonlySet<unknown> = new Set([shellCall, shellLinesCall])

export function readerOf(plainName: string): ToolReader | undefined {
  return readers.get(plainName)
}

function named(names: string, reader: ToolReader): readonly (readonly [string, ToolReader])[] {
  return names.split(' ').map((name) => [name, reader])
}

function continued(fields: Fields): Action {
  return continuedShellCall(fields)
}

function patchCall(fields: Fields): Action | null {
  const text = fields.text('patchtext', 'input', 'patch', 'diff', 'content')
  if (text === null) return null
  const files = parsePatch(text)
  return files.length === 0 ? null : { kind: 'patch', files }
}
