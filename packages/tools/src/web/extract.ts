/** A model that answers a prompt from a page. The page is a stranger's text: it must have no tools. */
export type Extractor = (
  request: { readonly url: string; readonly prompt: string; readonly content: string },
  options: { readonly signal: AbortSignal },
) => Promise<string>

/** What an extractor finds; if it fails, the page itself must do. */
export async function extract(
  extractor: Extractor,
  request: Parameters<Extractor>[0],
  signal: AbortSignal,
): Promise<string | { readonly notice: string }> {
  try {
    return await extractor(request, { signal })
  } catch (error) {
    // Whatever a model may fail with.
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { notice: `Nothing was extracted (${why}): this is the page itself.` }
  }
}
