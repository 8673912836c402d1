import { describe, expect, it } from 'vitest'
import { withYamlValue } from './yaml-edit.ts'

const text = [
  '# mine',
  'models:',
  '  - name: One # the first',
  '    provider: anthropic',
  '    apiBase: "https://x.example/v1" # at the office',
  '  - name: Two',
  '    provider: openai',
  '',
].join('\r\n')
const at = (position: number) => ({ path: ['models', position], key: 'apiBase' })

describe('a string of a YAML file', () => {
  it('is replaced where it stands, and taken back with the bytes around it untouched', () => {
    const change = { ...at(0), was: 'https://x.example/v1', value: 'http://gateway' }
    const changed = withYamlValue(text, change)
    expect(changed).toBe(text.replace('"https://x.example/v1"', 'http://gateway'))
    const back = { ...at(0), was: change.value, value: change.was }
    expect(withYamlValue(changed ?? '', back)).toBe(text.replaceAll('"', ''))
  })

  it.each([
    ['with', text],
    ['without', text.trimEnd()],
  ])('is added on a line of its own, in a file %s a newline at its end', (_, given) => {
    const change = { ...at(1), was: null, value: 'http://gateway' }
    const changed = withYamlValue(given, change) ?? ''
    expect(changed).toContain(
      '  - name: Two\r\n    apiBase: http://gateway\r\n    provider: openai',
    )
    expect(withYamlValue(changed, { ...at(1), was: change.value, value: null })).toBe(given)
  })

  it('is not changed when the user has changed it, or where it is not on a line of its own', () => {
    const change = { ...at(0), was: 'https://other.example', value: 'http://gateway' }
    expect(withYamlValue(text, change)).toBeNull()
    const inOneLine = 'models: [{ name: One, provider: openai }]\n'
    expect(withYamlValue(inOneLine, { ...at(0), was: null, value: 'http://gateway' })).toBeNull()
    expect(withYamlValue('models: none\n', { ...at(0), was: null, value: 'x' })).toBeNull()
  })
})
