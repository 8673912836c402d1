export function chromiumPath(): string | null
export function installChromium(): void
export const chromiumArguments: string[]
