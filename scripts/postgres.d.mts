export declare function postgresFolder(): string | null
export declare function pgbouncerProgram(): string | null
export declare function installPostgres(): void
export declare function freePort(): Promise<number>
export declare function unprivileged(): { readonly uid?: number; readonly gid?: number }
