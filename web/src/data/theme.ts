import { computed, signal } from '@preact/signals'

export type ThemeChoice = 'auto' | 'light' | 'dark'

const key = 'palimpsest-theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(system.matches)
system.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches
})

export const chosenTheme = signal<ThemeChoice>(stored())

/** The current theme. */
export const theme = computed<'light' | 'dark'>(() => {
  if (chosenTheme.value !== 'auto') return chosenTheme.value
  return systemIsDark.value ? 'dark' : 'light'
})

export function chooseTheme(choice: ThemeChoice): void {
  chosenTheme.value = choice
  try {
    localStorage.setItem(key, choice)
  } catch {
    // Storage is switched off: the choice lasts until the page is closed.
  }
}

function stored(): ThemeChoice {
  try {
    const found = localStorage.getItem(key)
    return found === 'light' || found === 'dark' ? found : 'auto'
  } catch {
    return 'auto'
  }
}
