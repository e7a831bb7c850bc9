/** A model that answers a prompt about a page. The page is untrusted, so the model must have no tools. */
export type Extractor = (
  request: { readonly url: string; readonly prompt: string; readonly content: string },
  options: { readonly signal: AbortSignal },
) => Promise<string>

/** Runs an extractor. If it fails, returns a notice to show with the page itself. */
export async function extract(
  extractor: Extractor,
  request: Parameters<Extractor>[0],
  signal: AbortSignal,
): Promise<string | { readonly notice: string }> {
  try {
    return await extractor(request, { signal })
  } catch (error) {
    // A model may fail in any way.
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { notice: `Extraction failed (${why}); this is the page itself.` }
  }
}
