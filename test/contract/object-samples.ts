import type { ObjectFormatName } from '../../src/formats/format.ts'

const png = 'iVBORw0KGgo='

/** Lists that hold every kind of part, with members that no version knows. */
export const objectSamples: Readonly<Record<ObjectFormatName, readonly unknown[]>> = {
  'ai-sdk': [
    { role: 'system', content: 'You write tests.', providerOptions: { acme: { a: 1 } } },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look at this.', extra: [1, { two: 2 }] },
        { type: 'image', image: new URL('https://example.test/a.png') },
        { type: 'file', data: png, mediaType: 'image/png', filename: 'b.png' },
        { type: 'file', data: { type: 'text', text: 'notes' }, mediaType: 'text/plain' },
        { type: 'file', data: Uint8Array.of(1, 2, 3), mediaType: 'application/pdf' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'plain thought' },
        {
          type: 'reasoning',
          text: 'signed thought',
          providerOptions: { anthropic: { signature: 's1' } },
        },
        { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'r1' } } },
        {
          type: 'reasoning-file',
          data: { type: 'data', data: Uint8Array.of(9) },
          mediaType: 'image/png',
        },
        { type: 'text', text: 'I shall look.', extra: true },
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'read',
          input: { path: 'a.ts' },
          extra: null,
        },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'shot', input: {} },
        { type: 'tool-call', toolCallId: 'c3', toolName: 'list', input: { of: 'b' } },
        { type: 'tool-call', toolCallId: 'c4', toolName: 'delete', input: { path: 'a.ts' } },
        {
          type: 'tool-call',
          toolCallId: 's1',
          toolName: 'web_search',
          input: { query: 'x' },
          providerExecuted: true,
        },
        {
          type: 'tool-result',
          toolCallId: 's1',
          toolName: 'web_search',
          output: { type: 'json', value: [] },
        },
        { type: 'custom', kind: 'acme.note', providerOptions: { acme: { note: 'n' } } },
        { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'c4' },
        { type: 'hologram', depth: 3 },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'read',
          output: { type: 'text', value: '1: const a = 1', extra: 7 },
          extra: 'kept',
        },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'shot',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'two shots:', extra: 1 },
              { type: 'image-data', data: png, mediaType: 'image/png' },
              { type: 'text', text: 'and' },
              { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/png' },
              { type: 'custom', providerOptions: { acme: {} } },
            ],
          },
        },
        {
          type: 'tool-result',
          toolCallId: 'c3',
          toolName: 'list',
          output: { type: 'error-json', value: { code: 2 } },
        },
        { type: 'tool-approval-response', approvalId: 'p1', approved: false },
        {
          type: 'tool-result',
          toolCallId: 'c4',
          toolName: 'delete',
          output: { type: 'execution-denied', reason: 'no' },
        },
      ],
    },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks.' },
  ],
  opencode: [
    {
      info: {
        id: 'msg_1',
        sessionID: 'ses_1',
        role: 'user',
        time: { created: 1_000 },
        agent: 'build',
        model: { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' },
        summary: { diffs: [] },
      },
      parts: [
        part('prt_1', 'msg_1', { type: 'text', text: 'Look at this.', extra: { a: 1 } }),
        part('prt_2', 'msg_1', { type: 'text', text: 'for the screen', ignored: true }),
        part('prt_3', 'msg_1', { type: 'text', text: 'The file says: x', synthetic: true }),
        part('prt_4', 'msg_1', {
          type: 'file',
          mime: 'text/plain',
          url: 'file:///x',
          filename: 'x',
        }),
        part('prt_5', 'msg_1', {
          type: 'file',
          mime: 'image/png',
          url: `data:image/png;base64,${png}`,
          filename: 'a.png',
        }),
        part('prt_6', 'msg_1', { type: 'agent', name: 'build' }),
        part('prt_7', 'msg_1', { type: 'subtask', prompt: 'p', description: 'd', agent: 'a' }),
      ],
      extra: 'kept',
    },
    {
      info: {
        id: 'msg_2',
        sessionID: 'ses_1',
        role: 'assistant',
        parentID: 'msg_1',
        modelID: 'claude-sonnet-4-5',
        providerID: 'anthropic',
        time: { created: 2_000, completed: 3_000 },
        tokens: { input: 10, output: 5, reasoning: 1, cache: { read: 100, write: 20 } },
      },
      parts: [
        part('prt_a', 'msg_2', { type: 'step-start', snapshot: 'abc' }),
        part('prt_b', 'msg_2', { type: 'reasoning', text: 'plain thought', time: { start: 1 } }),
        part('prt_c', 'msg_2', {
          type: 'reasoning',
          text: 'signed thought',
          metadata: { anthropic: { signature: 's1' } },
        }),
        part('prt_d', 'msg_2', { type: 'text', text: 'I shall look.' }),
        tool('prt_e', 'call_1', {
          status: 'completed',
          input: { filePath: 'a.ts' },
          output: '1: const a = 1',
          title: 'a.ts',
          metadata: { preview: 'const a = 1' },
          time: { start: 1, end: 2 },
          attachments: [
            { type: 'file', mime: 'image/png', url: `data:image/png;base64,${png}` },
            { type: 'file', mime: 'image/jpeg', url: 'data:image/jpeg;base64,AAAA' },
          ],
        }),
        tool('prt_f', 'call_2', {
          status: 'error',
          input: { filePath: 'b.ts' },
          error: 'no such file',
          time: { start: 1, end: 2 },
        }),
        tool('prt_g', 'call_3', {
          status: 'error',
          input: { command: 'sleep 9' },
          error: 'Tool execution aborted',
          metadata: { interrupted: true, output: 'so far' },
          time: { start: 1, end: 2 },
        }),
        tool('prt_h', 'call_4', {
          status: 'completed',
          input: { filePath: 'old.ts' },
          output: 'old text',
          time: { start: 1, end: 2, compacted: 9 },
        }),
        tool('prt_i', 'call_5', {
          status: 'running',
          input: { command: 'ls' },
          time: { start: 1 },
        }),
        part('prt_j', 'msg_2', { type: 'step-finish', reason: 'tool-calls' }),
        part('prt_k', 'msg_2', { type: 'patch', hash: 'h', files: ['a.ts'] }),
        part('prt_l', 'msg_2', { type: 'step-start' }),
        part('prt_m', 'msg_2', { type: 'text', text: 'Done.' }),
        part('prt_n', 'msg_2', { type: 'hologram', depth: 3 }),
      ],
    },
  ],
}

function part(id: string, messageID: string, fields: object): unknown {
  return { id, sessionID: 'ses_1', messageID, ...fields }
}

function tool(id: string, callID: string, state: object): unknown {
  return part(id, 'msg_2', { type: 'tool', tool: 'read', callID, state })
}
