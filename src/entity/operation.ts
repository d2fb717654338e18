/** What callers can do with the rows of an entity. */
export const operations = ['list', 'get', 'create', 'replace', 'change', 'delete'] as const

export type Operation = (typeof operations)[number]
