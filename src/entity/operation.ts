/** The operations that callers have on the rows of an entity, besides actions. */
export const operations = ['list', 'get', 'create', 'replace', 'change', 'delete'] as const

export type Operation = (typeof operations)[number]
