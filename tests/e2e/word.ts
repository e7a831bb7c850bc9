import { en, translator } from '../../packages/web/src/words/words.ts'

/** A text of the page in English, by its key: what it says may be put in better words. */
export const word = translator('en', en).t
