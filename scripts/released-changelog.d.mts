export function releasedChangelog(
  changelog: string,
  release: { readonly version: string; readonly today: string },
): { readonly changelog: string; readonly notes: string }
