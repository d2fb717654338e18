import type { HomePart } from '../../core/feature/browsed.ts'

const shown = ['brandName', 'brandLogoUrl', 'brandColor']

export const brandHome: HomePart = {
  steps: [
    {
      kind: 'brandSet',
      access: 'setting:read',
      isDone: async (context) => {
        const values = await context.shared.tenantSettings.read(context)
        return shown.some((name) => typeof values[name] === 'string' && values[name] !== '')
      },
    },
  ],
}
