import type { Model } from '../model.ts'
import type { ConnectOptions } from './connect-options.ts'
import { kindOf, parseReference } from './reference.ts'

/** Connects to the model of a reference such as `ollama/qwen3:8b`, without sending it anything yet. */
export async function connectModel(text: string, options: ConnectOptions): Promise<Model> {
  const reference = parseReference(text, options)
  const model = await kindOf(reference, options.kinds).connect(reference, options)
  return { ...model, reference }
}
