export interface EmbeddedReport {
  readonly answers: Readonly<Record<string, unknown>>
}

/** Unpacks the data of a report file: gzip, as base64. */
export async function readEmbedded(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0))
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(unpacked).text()
}
