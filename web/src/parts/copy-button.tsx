import { useState } from 'preact/hooks'

/** Copies a text and confirms it. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setState('done')
    } catch {
      setState('failed')
    }
    setTimeout(() => setState('idle'), 2000)
  }
  const label = { idle: 'Copy', done: 'Copied', failed: 'Select and copy it by hand' }[state]
  return (
    <button type="button" class="button small" aria-label={`${label}: ${what}`} onClick={copy}>
      {label}
    </button>
  )
}
