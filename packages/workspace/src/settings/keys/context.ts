import { type Field, integerField } from './fields.ts'
import { OWN_SCOPES, type SettingsKey } from './key.ts'
import { plainKey } from './plain.ts'

/** A number of tokens that is enough for a question and an answer. */
export const contextField: Field = integerField(512, 16_777_216)

/** The size of the context that models are used with, in tokens. It takes memory, so a cloned folder cannot set it. */
export const context: SettingsKey<number> = plainKey('context', contextField, OWN_SCOPES)
