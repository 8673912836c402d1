export function hasProgram(name: string): boolean
export function installPackage(name: string): void
