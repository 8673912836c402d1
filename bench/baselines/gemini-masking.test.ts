import { describe, expect, it } from 'vitest'
import { geminiMasking, geminiMaskingWith } from './gemini-masking.ts'
import { resultTexts, showScript, step, tokens } from './scripted-requests.ts'

const masked = (text: string | undefined): boolean =>
  text?.startsWith('<tool_output_masked>') ?? false
const small = geminiMaskingWith({ protectTokens: 0, minimumTokens: 0 })

describe('the masking of Gemini CLI', () => {
  it('starts at about 80,000 tokens of tool output: 50,000 protected and 30,000 to be won', () => {
    const reads = (count: number): ReturnType<typeof showScript> =>
      showScript(geminiMasking, [
        { user: 'go' },
        ...Array.from({ length: count }, (_, index) =>
          step('read_file', tokens(10_000, `${index}`)),
        ),
      ])
    expect(reads(8).flatMap(resultTexts).some(masked)).toBe(false)
    const texts = resultTexts(reads(9).at(-1))
    expect(texts.map(masked)).toEqual([true, true, true, ...Array(6).fill(false)])
  })

  it('leaves the first and last 250 characters and the place of the whole text', () => {
    const text = `${'a'.repeat(250)}${'b'.repeat(900)}${'c'.repeat(250)}`
    const view = showScript(small, [{ user: 'go' }, step('read_file', text), step('ls', 'x')]).at(
      -1,
    )
    const file = 'tool-outputs/readfile_1.0.txt'
    expect(view?.find(({ item }) => item.kind === 'result')).toEqual({
      item: expect.objectContaining({ text }),
      how: 'masked',
      handle: file,
      text: [
        '<tool_output_masked>',
        'a'.repeat(250),
        '... [TRUNCATED] ...',
        'c'.repeat(250),
        '',
        `Output too large. Full output available at: ${file}`,
        '</tool_output_masked>',
      ].join('\n'),
    })
  })

  it('leaves ten lines from each end of what a command printed, and its exit code whole', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`)
    const text = `Output: ${lines.join('\n')}\nExit Code: 1\n`
    const [shown] = resultTexts(
      showScript(small, [{ user: 'go' }, step('run_shell_command', text), step('ls', 'x')]).at(-1),
    )
    const kept = shown?.split('\n').filter((line) => /^(?:Output: )?line \d|^Exit/.test(line))
    expect(kept).toEqual([
      'Output: line 1',
      ...lines.slice(1, 10),
      ...lines.slice(190),
      'Exit Code: 1',
    ])
    expect(shown).toContain('[180 lines omitted]')
  })

  it.each([
    ['the latest turn', [step('read_file', tokens(1_000))]],
    ['what the user was asked', [step('ask_user', tokens(1_000)), step('ls', 'x')]],
    ['what would not become smaller', [step('read_file', tokens(10)), step('ls', 'x')]],
  ])('leaves %s', (_, turns) => {
    const texts = resultTexts(showScript(small, [{ user: 'go' }, ...turns]).at(-1))
    expect(texts.some(masked)).toBe(false)
  })
})
