import { describe, expect, it } from 'vitest'
import { type AttachmentItem, maskedAttachment } from './placeholders.ts'

const attachment = (media: string, text: string): AttachmentItem => ({
  kind: 'attachment',
  media,
  text,
  index: 0,
  message: 0,
  role: 'user',
  turn: 1,
  handle: 'a1b2c3',
  tokens: 10,
})

describe('maskedAttachment', () => {
  it.each([
    [
      'image/png',
      'image/png, 34567 bytes, sha256 0123456789abcdef',
      '[image/png, 34 KB · context_restore a1b2c3]',
    ],
    [
      'image/png',
      'image/png, 67 bytes, sha256 0123456789abcdef',
      '[image/png, 67 B · context_restore a1b2c3]',
    ],
    [
      'application/pdf',
      'application/pdf, 2621440 bytes, sha256 0123456789abcdef',
      '[application/pdf, 2.5 MB · context_restore a1b2c3]',
    ],
    [
      'image/png',
      '[image/png · 12345 characters · 0123456789ab]',
      '[image/png, ~9 KB · context_restore a1b2c3]',
    ],
    [
      'image/png',
      '[image/png · 40 characters · 0123456789ab]',
      '[image/png · context_restore a1b2c3]',
    ],
    ['image', 'https://example.org/picture.png', '[image a1b2c3]'],
  ])('names %s of %s', (media, text, masked) => {
    expect(maskedAttachment(attachment(media, text), 'context_restore')).toBe(masked)
  })

  it('adds the reason where there is room', () => {
    const url = `https://example.org/${'long/'.repeat(20)}a.png`
    expect(maskedAttachment(attachment('image/png', url), 'context_restore')).toBe(
      '[image/png · masked · context_restore a1b2c3]',
    )
  })

  it('leaves alone what is shorter than any name for it', () => {
    expect(maskedAttachment(attachment('image/png', 'file-1'), 'context_restore')).toBeNull()
  })
})
