export interface Runtime {
  readonly name: string
  readonly package: string
  readonly version: string
  readonly binary: string
}
export declare const runtimes: readonly Runtime[]
export declare function runtimePath(runtime: Runtime): string
export declare function installRuntimes(names?: readonly string[]): void
