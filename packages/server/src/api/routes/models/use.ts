import { changeUserSettings, verifyWorkspaceModel } from '@toolglot/workspace'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { modelReference, publicReference } from './reference.ts'

/** The default model that was set. */
export interface UsedModel {
  readonly reference: string
  /** The settings file that names it now. */
  readonly file: string
  /** What takes precedence over it: an environment variable or other settings. */
  readonly overriddenBy?: string
}

/** Makes a model the default. */
export const useModel: Endpoint<
  'POST /api/models/use',
  { readonly body: { readonly model: string } },
  UsedModel
> = {
  name: 'POST /api/models/use',
  about: "Make a model the default, in the user's own settings.",
  details: 'Whoever names a paid model agrees to pay for it.',
  body: typed(z.strictObject({ model: modelReference })),
  answers: {
    200: {
      about: 'It is the default now, unless something takes precedence.',
      schema: z.object({
        reference: z.string(),
        file: z.string().describe('The settings file that names it now.'),
        overriddenBy: z
          .string()
          .optional()
          .describe('What takes precedence over it: an environment variable or other settings.'),
        note: z
          .string()
          .optional()
          .describe('What could not be checked, such as a name while its server is not running.'),
      }),
    },
  },
  async handle({ body }, { services: { folders } }) {
    const workspace = await folders.open()
    const { directories, env } = workspace
    const { reference, note } = await verifyWorkspaceModel(body.model, workspace)
    const file = changeUserSettings(directories, 'model', reference)
    const { settings } = await folders.open()
    const strongest = settings.values.find(({ key }) => key === 'model')?.source
    const overriddenBy = env['TOOLGLOT_MODEL']?.trim()
      ? 'TOOLGLOT_MODEL'
      : strongest?.file === file
        ? undefined
        : strongest?.file
    return {
      reference: publicReference(reference),
      file,
      overriddenBy,
      note,
    }
  },
}
