import * as z from 'zod'
import type { ToolMapping } from '../actions/index.ts'

const field = (what: string): z.ZodOptional<z.ZodString> =>
  z.string().min(1).optional().describe(`The input field (dotted for nested ones) with ${what}.`)

const kinds = [
  'read',
  'write',
  'edit',
  'patch',
  'shell',
  'search',
  'glob',
  'fetch',
  'list',
  'task',
  'other',
] as const

export const toolMappingSchema: z.ZodType<ToolMapping> = z
  .strictObject({
    tool: z.string().min(1).describe('The name of the tool; `*` stands for any characters.'),
    as: z.enum(kinds).describe('What the tool does.'),
    path: field('the path'),
    start: field('the first line, from 1'),
    end: field('the last line'),
    offset: field('the number of lines left out before the first'),
    limit: field('the number of lines'),
    content: field('the text that is written'),
    oldText: field('the text that is replaced'),
    newText: field('the text that replaces it'),
    all: field('whether every occurrence is replaced'),
    edits: field('the list of edits'),
    patch: field('the patch'),
    command: field('the shell command'),
    workdir: field('the working directory'),
    pattern: field('the pattern'),
    include: field('the files that are searched'),
    url: field('the URL'),
    query: field('the search query'),
    tasks: field('the task list'),
    description: field('the description of the task'),
    prompt: field('the prompt of the task'),
  })
  .describe('How one of your own tools is read.')
