export declare function postgresFolder(): string | null
export declare function installPostgres(): void
