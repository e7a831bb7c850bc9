/** What browsers with Trusted Types have. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(given: string): string },
  ): { createScriptURL(given: string): string }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The address of the worker, as one that may be run. The policy knows this address only: whatever it is given, it returns that. */
export function trustedUrl(url: string): string {
  const types = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes
  policy ??= types?.createPolicy('toolglot-parser', { createScriptURL: () => url })
  return policy?.createScriptURL('') ?? url
}
