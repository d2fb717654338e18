/** The step of the home page that is done when the tenant has set a part of its brand. */
import type { HomePart } from '../../core/feature/browsed.ts'
import { findLogos } from '../../core/tenant/sql.ts'

const brandSettings = ['brandName', 'brandLogoUrl', 'brandColor', 'brandAccentColor']

export const brandHome: HomePart = {
  steps: [
    {
      kind: 'brandSet',
      access: 'setting:read',
      isDone: async (context) => {
        const values = await context.shared.tenantSettings.read(context)
        const hasSetting = brandSettings.some(
          (name) => typeof values[name] === 'string' && values[name] !== '',
        )
        return hasSetting || (await findLogos(context.catalogue)).length > 0
      },
    },
  ],
}
