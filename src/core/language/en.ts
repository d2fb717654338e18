import { capital } from '../capital.ts'
import { withArticle } from './article.ts'
import type { Language, Noun } from './language.ts'

/** The English texts: sentences about entities. The declarations of features have all other texts in English. */

const article = ({ one }: Noun) => capital(withArticle(one))

export const english: Language = {
  tag: 'en',
  permission: {
    read: ({ many }) => `See ${many}`,
    write: ({ many }) => `Create, change and delete ${many}`,
    all: ({ many }) => `Reach all ${many}`,
    list: ({ many }) => `List ${many}`,
    get: ({ many }) => `Get ${many}`,
    create: ({ many }) => `Create ${many}`,
    replace: ({ many }) => `Replace ${many}`,
    change: ({ many }) => `Change ${many}`,
    delete: ({ many }) => `Delete ${many}`,
    action: ({ many }, action) => `${action} ${many}`,
  },
  event: {
    created: (noun) => `${article(noun)} was created.`,
    updated: (noun) => `${article(noun)} was changed.`,
    deleted: (noun) => `${article(noun)} was deleted.`,
    restored: (noun) => `${article(noun)} was restored.`,
    action: (noun, _action, past) => `${article(noun)} was ${past}.`,
  },
  built: {
    permissions: {},
    events: {},
    audited: {},
    settings: { brandLogoUrl: 'Address of the logo' },
    errors: {},
  },
}
