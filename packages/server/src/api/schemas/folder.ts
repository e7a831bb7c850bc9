import { z } from 'zod'

/** The field of an input that names a folder. */
export const folder: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('The absolute path of the folder to work in. Default: the folder of the server.')

/** An input that names a folder. */
export interface InFolder {
  readonly folder?: string | undefined
}
