import type { BodyFormatName } from '../../src/formats/format.ts'

/** A change of one item in a sample, and exactly what becomes of its spelling. */
export interface SampleChange {
  readonly message: number
  readonly item: number
  readonly text: string | null
  readonly spelled: string
  readonly respelled: string
}

/** A body with every kind of block, spelled as no serialiser would. */
export interface BodySample {
  readonly format: BodyFormatName
  readonly body: string
  /** Kinds of the items, message by message. */
  readonly anatomy: readonly string[]
  readonly changes: readonly SampleChange[]
}

const anthropic: BodySample = {
  format: 'anthropic',
  body: String.raw`{
  "model" : "claude-sonnet-4-5", "temperature": 1.0, "seed": 9007199254740993,
  "system": [{"type":"text","text":"Be br\u0069ef.","cache_control":{"type":"ephemeral"}}],
  "messages": [ {"role":"user","content":"\u0048ello"} ,
    {"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="},"cache_control":{"type":"ephemeral", "ttl":"1h"}},
       {"type":"document","source":{"type":"text","media_type":"text/plain","data":"a page"},"title":"T"},
       {"type":"search_result","source":"https://a.example","title":"Found","content":[{"type":"text","text":"it"}]},
       {"type":"container_upload","file_id":"file_1"}, {"type":"from_the_future","n":1.50e+3}],"role":"user"},
    {"role":"system","content":"Tools changed."},
    {"role":"assistant","content":[ {"type":"thinking","thinking":"hm","signature":"c2ln"}, {"type":"redacted_thinking","data":"ZGF0YQ=="},
       {"type":"text","text":"I look."}, {"type":"tool_use","id":"t1","name":"Read","input":{"path":"a.ts", "at":1.0, "id":12345678901234567890}},
       {"type":"tool_use","id":"t2","name":"Bash","input":{}, "caller":{"type":"direct"}},
       {"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}}, {"type":"web_search_tool_result","tool_use_id":"s1","content":[]}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"one"} , {"type":"image","source":{"type":"url","url":"https://a.example/b.png"}}, {"type":"text","text":"two"}]},
       {"tool_use_id":"t2","type":"tool_result","is_error":true}, {"type":"text","text":"go on", "cache_control":{"type":"ephemeral"}}]},
    {"role":"assistant","content":[{"type":"compaction","content":"so far"},{"type":"thinking","thinking":"free"},{"type":"text","text":"Done."}]} ],
  "tools":[ {"name":"Read","input_schema":{"type":"object"}} ] , "max_tokens":1e3, "unknown_field":{"__proto__":[1.0,-0]}
}`,
  anatomy: [
    'text',
    'attachment attachment attachment attachment! marker!',
    'text',
    'reasoning reasoning text call call marker! marker!',
    'result attachment result text',
    'marker! reasoning text',
  ],
  changes: [
    { message: 0, item: 0, text: 'Hi', spelled: String.raw`"\u0048ello"`, respelled: '"Hi"' },
    {
      message: 1,
      item: 0,
      text: '[image]',
      spelled:
        '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="},"cache_control":{"type":"ephemeral", "ttl":"1h"}}',
      respelled:
        '{"type":"text","text":"[image]","cache_control":{"type":"ephemeral", "ttl":"1h"}}',
    },
    {
      message: 3,
      item: 0,
      text: null,
      spelled: '{"type":"thinking","thinking":"hm","signature":"c2ln"}, ',
      respelled: '',
    },
    {
      message: 3,
      item: 1,
      text: null,
      spelled: ', {"type":"redacted_thinking","data":"ZGF0YQ=="}',
      respelled: '',
    },
    {
      message: 3,
      item: 3,
      text: '{ "path": "a.ts" }',
      spelled: '{"path":"a.ts", "at":1.0, "id":12345678901234567890}',
      respelled: '{ "path": "a.ts" }',
    },
    {
      message: 4,
      item: 0,
      text: 'new "text"\n',
      spelled: `{"type":"text","text":"one"} , {"type":"image","source":{"type":"url","url":"https://a.example/b.png"}}, {"type":"text","text":"two"}`,
      respelled: String.raw`{"type":"text","text":"new \"text\"\n"} , {"type":"image","source":{"type":"url","url":"https://a.example/b.png"}}`,
    },
    {
      message: 4,
      item: 1,
      text: 'a picture',
      spelled: '{"type":"image","source":{"type":"url","url":"https://a.example/b.png"}}',
      respelled: '{"type":"text","text":"a picture"}',
    },
    {
      message: 4,
      item: 2,
      text: 'failed',
      spelled: '"type":"tool_result","is_error":true}',
      respelled: '"type":"tool_result","is_error":true,"content":"failed"}',
    },
    { message: 5, item: 1, text: '—', spelled: '"free"', respelled: '"—"' },
  ],
}

const chat: BodySample = {
  format: 'openai-chat',
  body: String.raw`{ "model":"deepseek-chat", "top_p":1.0,
 "messages":[{"role":"system","content":"Be brief."},{"role":"developer","content":[{"type":"text","text":"Really."}]},
  {"role":"user","content":[ {"type":"text","text":"See"}, {"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}, {"type":"file","file":{"file_id":"f1"}}, {"type":"input_audio","input_audio":{"data":"aGk=","format":"wav"}}, {"type":"video_url","video_url":{}} ]},
  {"role":"assistant", "reasoning_content":"first", "content":null, "tool_calls":[ {"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\": \"a\u002ets\"}"}}, {"id":"c2","type":"custom","custom":{"name":"patch","input":"*** Begin"}} ], "big":123456789012345678901234567890},
  {"role":"tool","tool_call_id":"c1","content":"one"}, {"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]},
  {"role":"assistant","content":"","function_call":{"name":"old","arguments":"{}"}}, {"role":"function","name":"old","content":null},
  {"role":"assistant","content":[{"type":"refusal","refusal":"No."}], "refusal":"Never.", "audio":{"id":"au"}}],
 "tools":[{"type":"function","function":{"name":"read"}}], "logit_bias":{"50256":-100} }`,
  anatomy: [
    'text',
    'text',
    'text attachment attachment attachment marker!',
    'reasoning call call',
    'result',
    'result',
    'call',
    'result',
    'text text attachment!',
  ],
  changes: [
    {
      message: 2,
      item: 1,
      text: '[image]',
      spelled: '{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}',
      respelled: '{"type":"text","text":"[image]"}',
    },
    { message: 3, item: 0, text: '—', spelled: '"first"', respelled: '"—"' },
    {
      message: 3,
      item: 0,
      text: null,
      spelled: ', "reasoning_content":"first"',
      respelled: '',
    },
    {
      message: 3,
      item: 1,
      text: '{"path":"b"}',
      spelled: String.raw`"{\"path\": \"a\u002ets\"}"`,
      respelled: String.raw`"{\"path\":\"b\"}"`,
    },
    { message: 3, item: 2, text: 'not JSON', spelled: '"*** Begin"', respelled: '"not JSON"' },
    { message: 4, item: 0, text: 'gone', spelled: '"one"', respelled: '"gone"' },
    {
      message: 5,
      item: 0,
      text: 'z',
      spelled: '{"type":"text","text":"x"},{"type":"text","text":"y"}',
      respelled: '{"type":"text","text":"z"}',
    },
    {
      message: 7,
      item: 0,
      text: 'nothing',
      spelled: '"name":"old","content":null',
      respelled: '"name":"old","content":"nothing"',
    },
    { message: 8, item: 0, text: 'Yes.', spelled: '"No."', respelled: '"Yes."' },
  ],
}

const responses: BodySample = {
  format: 'openai-responses',
  body: String.raw`{"instructions":"Be brief.","tools":[{"type":"namespace","name":"mcp__x","tools":[]}],"model":"gpt-5.5","store":false,
"input":[ {"type":"message","role":"developer","content":[{"type":"input_text","text":"Rules"}]},
 {"role":"user","content":"Go"} , {"role":"user","content":[{"type":"input_image","image_url":"https://a.example/a.png"},{"type":"input_file","file_id":"f"}]},
 {"type":"reasoning","summary":[],"encrypted_content":"Z0FB"}, {"type":"message","role":"assistant","id":"m1","content":[{"type":"output_text","text":"Sure","annotations":[]}]},
 {"type":"function_call","call_id":"c1","name":"tool","namespace":"mcp__x","arguments":"{\"n\":1.0}"}, {"type":"custom_tool_call","call_id":"c2","name":"apply_patch","input":"*** Begin"},
 {"type":"local_shell_call","call_id":"c3","action":{"type":"exec","command":["ls"]},"status":"completed"}, {"type":"web_search_call","id":"w1","status":"completed"},
 {"type":"function_call_output","call_id":"c1","output":"out"} , {"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_image","image_url":"data:image/png;base64,aGk="}]}, {"type":"local_shell_call_output","id":"c3","output":"ls"},
 {"type":"reasoning","summary":[{"type":"summary_text","text":"plain"}]}, {"type":"compaction","encrypted_content":"Y28="}, {"type":"item_reference","id":"r"},
 {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done"},{"type":"refusal","refusal":"But no"}]} ],"client_metadata":{"b":1.0,"a":18446744073709551615}}`,
  anatomy: [
    'text',
    'text',
    'attachment attachment',
    'reasoning text call call call marker!',
    'result result attachment result',
    'reasoning marker! marker! text text',
  ],
  changes: [
    {
      message: 2,
      item: 1,
      text: '[file]',
      spelled: '{"type":"input_file","file_id":"f"}',
      respelled: '{"type":"input_text","text":"[file]"}',
    },
    {
      message: 3,
      item: 0,
      text: null,
      spelled: ',\n {"type":"reasoning","summary":[],"encrypted_content":"Z0FB"}',
      respelled: '',
    },
    {
      message: 3,
      item: 2,
      text: '{}',
      spelled: String.raw`"{\"n\":1.0}"`,
      respelled: '"{}"',
    },
    { message: 3, item: 3, text: 'x', spelled: '"*** Begin"', respelled: '"x"' },
    { message: 4, item: 0, text: 'gone', spelled: '"out"', respelled: '"gone"' },
    {
      message: 4,
      item: 1,
      text: 'gone',
      spelled: '"output":[{"type":"input_image"',
      respelled: '"output":[{"type":"input_text","text":"gone"},{"type":"input_image"',
    },
    {
      message: 4,
      item: 2,
      text: '[image]',
      spelled: '{"type":"input_image","image_url":"data:image/png;base64,aGk="}',
      respelled: '{"type":"input_text","text":"[image]"}',
    },
    { message: 5, item: 0, text: '—', spelled: '"plain"', respelled: '"—"' },
  ],
}

const gemini: BodySample = {
  format: 'gemini',
  body: `{"system_instruction":{"parts":[{"text":"Be brief."}]},
 "contents" : [{"role":"user","parts":[{"text":"Go"}, {"inlineData":{"mimeType":"image/png","data":"aGk="}} ,{"file_data":{"mime_type":"video/mp4","file_uri":"gs://v"}}]},
  {"role":"model","parts":[{"text":"thinking","thought":true}, {"text":"signed","thought":true,"thoughtSignature":"c2ln"}, {"functionCall":{"name":"read","args":{"n":1.0}},"thoughtSignature":"c2ln"}, {"function_call":{"name":"read","args":{"n":2}}}, {"functionCall":{"id":"i1","name":"ls"}}, {"executableCode":{"language":"PYTHON","code":"1"}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"one"}}}, {"function_response":{"name":"read","response":{"error":"no", "code":2}}}, {"functionResponse":{"id":"i1","name":"ls","response":{"content":["a"]},"parts":[{"inlineData":{"mimeType":"image/png","data":"aGk="}}]}}]},
  {"role":"model","parts":[{"text":"Done"},{"text":"","thoughtSignature":"ZW5k"}]}],
 "tools":[{"functionDeclarations":[]}], "generationConfig":{"temperature":1.0,"seed":1e2}}`,
  anatomy: [
    'text attachment attachment',
    'reasoning reasoning call call call marker!',
    'result result result attachment',
    'text reasoning',
  ],
  changes: [
    {
      message: 0,
      item: 1,
      text: '[image]',
      spelled: '{"inlineData":{"mimeType":"image/png","data":"aGk="}} ,',
      respelled: '{"text":"[image]"} ,',
    },
    { message: 1, item: 0, text: '—', spelled: '"thinking"', respelled: '"—"' },
    {
      message: 1,
      item: 1,
      text: null,
      spelled: ', {"text":"signed","thought":true,"thoughtSignature":"c2ln"}',
      respelled: '',
    },
    { message: 1, item: 3, text: '{}', spelled: '{"n":2}', respelled: '{}' },
    {
      message: 1,
      item: 4,
      text: '{"a":1}',
      spelled: '"id":"i1","name":"ls"}',
      respelled: '"id":"i1","name":"ls","args":{"a":1}}',
    },
    { message: 2, item: 0, text: 'gone', spelled: '"one"', respelled: '"gone"' },
    {
      message: 2,
      item: 1,
      text: 'gone',
      spelled: '{"error":"no", "code":2}',
      respelled: '{"error":"gone"}',
    },
    {
      message: 2,
      item: 2,
      text: 'gone',
      spelled: '{"content":["a"]}',
      respelled: '{"output":"gone"}',
    },
  ],
}

export const bodySamples: readonly BodySample[] = [anthropic, chat, responses, gemini]
