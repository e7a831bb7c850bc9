import { z } from 'zod'

/** The `file_path` parameter that the file tools share. */
export const filePath: z.ZodString = z
  .string()
  .min(1)
  .describe('Path of the file, absolute or relative to the working directory.')
