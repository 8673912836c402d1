/** The text of docs/api.md for the types in dist. */
export function apiDocs(): string
