/** The step of the home page that is done when an API key was used for the first time. */
import type { HomePart } from '../../core/feature/browsed.ts'
import { having } from '../../database/read/conditions.ts'
import { apiKeys } from './readable.ts'

export const apiKeyHome: HomePart = {
  steps: [
    {
      kind: 'apiKeyUsed',
      access: 'apiKey:read',
      isDone: async (context, time) =>
        (await apiKeys.countUpTo(context, having(apiKeys.model, 'lastUsedAt'), { limit: 1, time })) > 0,
    },
  ],
}
