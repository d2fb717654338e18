/** The step of the home page that is done when the tenant has set a part of its brand. */
import type { HomePart } from '../../core/feature/browsed.ts'

const brandSettings = ['brandName', 'brandLogoUrl', 'brandColor']

export const brandHome: HomePart = {
  steps: [
    {
      kind: 'brandSet',
      access: 'setting:read',
      isDone: async (context) => {
        const values = await context.shared.tenantSettings.read(context)
        return brandSettings.some((name) => typeof values[name] === 'string' && values[name] !== '')
      },
    },
  ],
}
