import { en, translator } from '../../packages/web/src/words/words.ts'

/** An English text of the page, by its key, so that tests don't depend on its wording. */
export const word = translator('en', en).t
