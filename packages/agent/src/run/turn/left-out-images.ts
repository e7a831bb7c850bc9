import { type ChatMessage, type Content, countImages } from '../../model/chat-message.ts'
import { joinContents } from '../../context/merge-messages.ts'
import { ModelError } from '../../model/model-error.ts'
import type { Model } from '../../model/model.ts'

/** The errors of servers that rejected images although their models should accept them. */
const refusals = new WeakMap<Model, string>()

/** True if images can be sent to a model. */
export function takesImages(model: Model): boolean {
  return model.images === true && !refusals.has(model)
}

/** Returns true if a request failed because of its images. The model then gets no more images. */
export function learnsRefusal(
  model: Model,
  messages: readonly { readonly role: string; readonly content?: unknown }[],
  error: unknown,
): boolean {
  if (!takesImages(model) || !(error instanceof ModelError) || !ABOUT_IMAGES.test(error.message))
    return false
  if (!messages.some(({ role, content }) => role === 'user' && countImages(content as Content) > 0))
    return false
  refusals.set(model, error.message)
  return true
}

/** The warning about omitted images. */
export function leftOutWarning(model: Model): string {
  const refusal = refusals.get(model)
  return refusal === undefined
    ? `${model.name} does not accept images, so the image was left out and the model was told. To send images, use another model.`
    : `The image was left out and the model was told, because a request with an image failed: ${refusal}`
}

const ABOUT_IMAGES = /image|vision|multi-?modal|mmproj/i

/** Replaces each image in the messages with a note to the model. */
export function withoutImages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(({ content }) => countImages(content) > 0)) return messages
  return messages.map((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? {
          ...message,
          content: joinContents(
            message.content.map((part) =>
              part.type === 'image' ? [{ type: 'text', text: LEFT_OUT }] : [part],
            ),
          ),
        }
      : message,
  )
}

const LEFT_OUT = '[An image was left out here, because you cannot see images.]'
