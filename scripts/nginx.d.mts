export function nginxPath(): string | null
export function installNginx(): void
