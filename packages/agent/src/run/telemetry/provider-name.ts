import type { Model } from '../../model/model.ts'

/** Who serves a model, by the names of the conventions where they have one. */
export function providerName({
  provider = '',
  reference = '',
}: Pick<Model, 'provider' | 'reference'>): string {
  // `lmstudio/a` says it shorter than what is shown to people. An address says nothing.
  const [, id] = /^(\w[\w.-]*)\//.exec(reference) ?? []
  const name = id ?? provider.trim().toLowerCase()
  return name === '' ? '_OTHER' : (KNOWN[name] ?? name)
}

const KNOWN: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}
