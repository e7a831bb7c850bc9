import { z } from 'zod'

/** The argument that names a file. */
export const filePath: z.ZodString = z
  .string()
  .min(1)
  .describe('The file: an absolute path, or one from the working folder.')
