import type { Question } from '@toolglot/agent'
import { z } from 'zod'
import { typed } from './described.ts'

/** A question to a person. */
export const question: z.ZodType<Question> = typed(
  z
    .object({
      question: z.string(),
      header: z.string().describe('A short title.'),
      options: z.array(
        z.object({
          label: z.string(),
          description: z.string(),
          preview: z.string().optional().describe('In Markdown.'),
        }),
      ),
      multiSelect: z.boolean().optional().describe('Several options can be chosen.'),
    })
    .meta({
      id: 'Question',
      description: 'A question to a person. Other words are an answer, too.',
    }),
)
