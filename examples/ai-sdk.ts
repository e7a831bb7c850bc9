import { toolglot } from '@toolglot/ai-sdk'
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { textModel } from './text-model.ts'

const model = wrapLanguageModel({ model: textModel, middleware: toolglot() })
const inputSchema = z.object({ city: z.string() })
const weather = tool({ inputSchema, execute: ({ city }) => `It rains in ${city}.` })
const asked = { prompt: 'Umbrella in Hanoi?', tools: { weather }, stopWhen: stepCountIs(5) }
console.log((await generateText({ model, ...asked })).text)

// Yes: it rains in Hanoi.
