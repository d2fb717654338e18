/** The types of entities as `GET /api/entities` describes them, and functions for their labels, fields and actions. */
export interface FieldDescription {
  name: string
  /** The label in the language of the console. */
  label?: string
  kind:
    | 'text'
    | 'integer'
    | 'money'
    | 'boolean'
    | 'date'
    | 'timestamp'
    | 'enum'
    | 'reference'
    | 'json'
    | 'sequence'
    | 'many'
  description: string | null
  isNullable: boolean
  isRequired: boolean
  isReadOnly: boolean
  /** Whether a row keeps the value that it got when it was created. */
  isFixed?: boolean
  relation: string | null
  entity: string | null
  fileTypes: readonly string[]
  /** The value of a new row whose creator gives none. */
  defaultValue?: unknown
  /** Whether the search of the list looks in it. */
  isSearched?: boolean
  schema: JsonSchema
  fields?: readonly FieldDescription[]
  /** The words of an `enum`, in the language of the console. */
  words?: Readonly<Record<string, string>>
  widget?: { kind: string; currency?: string }
}

export interface JsonSchema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly { const?: unknown }[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  description?: string
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  /** A schema of other members, or whether there may be any. */
  additionalProperties?: unknown
  patternProperties?: unknown
}

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  access: string
}

export interface Action extends Operation {
  name: string
  summary: string
  from: Readonly<Record<string, readonly unknown[]>>
  /** The values that the row gets by the action, as far as they are known before. */
  to: Readonly<Record<string, unknown>>
  input: JsonSchema | null
  /** The label in the language of the console. */
  label?: string
  console?: ActionHints
}

/** How an action is offered, as the definition of the entity says. */
export interface ActionHints {
  tone?: Tone
  primary?: boolean
  /** Whether it is offered for several rows at once. */
  bulk?: boolean
  /** The name of the action that undoes it. */
  undo?: string
  /** The question that is asked before it. */
  confirm?: string
  /** The path of its icon (SVG), which is drawn as a line. */
  iconPath?: string
  /** The letter on the keyboard that calls it. */
  key?: string
}

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'
export type TimeNames = Readonly<Record<'createdAt' | 'updatedAt', string>>

export interface EntityDescription {
  name: string
  plural: string
  label: string
  labels: string
  description: string
  title: string
  /** The names of the times that every row has, which the service does not describe. */
  times?: TimeNames
  /** The members that a list shows at first. */
  defaultColumns?: readonly string[]
  isSearched: boolean
  sortedBy: readonly string[]
  fields: readonly FieldDescription[]
  operations: Readonly<Partial<Record<'list' | 'get' | 'create' | 'change' | 'delete', Operation>>>
  actions: readonly Action[]
  /** Whether its lists can be followed. */
  isLive: boolean
  subscriptions: readonly string[]
  /** Whether rows say what the caller may do with them. */
  hasRights?: boolean
  /** Whether one request creates or changes many rows. */
  hasBulk?: boolean
  /** Whether its rows have versions. */
  hasHistory?: boolean
  /** How many days a deleted row can be restored. */
  trashDays?: number | null
  console?: EntityHints
}

/** How rows are shown, as the definition of the entity says. */
export interface EntityHints {
  /** The path of its icon (SVG), which is drawn as a line. */
  iconPath?: string
  tint?: Tint
  group?: string
  /** The place in the group, the lowest first. */
  order?: number
  hidden?: 'navigation'
  /** A sentence of help, or the address of a page with help. */
  help?: string
  /** The member with the file of a picture. */
  image?: string
  /** A template of members, and of members of what they refer to: `#{number} · {customer.name}`. */
  subtitle?: string
  sections?: readonly SectionHint[]
  badges?: readonly BadgeHint[]
  /** A figure of the first page: `count`, `sum(total)` or `avg(total)`. */
  home?: { figure: string; label?: string; if?: Readonly<Record<string, string>> }
  related?: readonly RelatedHint[]
  list?: ListHints
}

export type Tint = 'iris' | 'green' | 'amber' | 'red' | 'blue' | 'neutral'

export interface SectionHint {
  title: string
  description?: string
  fields: readonly string[]
  /** Whether it stands beside the other sections. */
  side?: boolean
  /** Whether it is closed at first. */
  folded?: boolean
  /** The condition on rows for which it is shown. */
  if?: Condition
}

export interface BadgeHint {
  /** A member with words, or a name of its own. */
  name: string
  tones?: Readonly<Record<string, Tone>>
  /** The condition on rows that have the badge. */
  if?: Condition
  text?: string
  tone?: Tone
}

export interface RelatedHint {
  entity: string
  /** The member of the related rows that refers to this row. */
  by: string
  columns: readonly string[]
  sort?: string
  max?: number
  create?: boolean
}

/** A condition on rows as parameters of a list. Days may be written like `today-7`. */
export type Condition = Readonly<Record<string, string>>

export interface ListHints {
  sort?: string
  group?: string
  /** The height of rows until the user chooses one. */
  density?: 'compact' | 'normal' | 'comfortable'
  pageSize?: number
  views?: readonly ViewHint[]
}

export interface ViewHint {
  name: string
  label: string
  filter: Condition
  sort?: string
  layout?: 'table' | 'board' | 'calendar'
  group?: string
}

/** The values of a row, or of a form for one. */
export type Values = Readonly<Record<string, unknown>>

export type Row = { readonly id: string } & Readonly<Record<string, unknown>>

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Makes a label of a name: `unitPrice` becomes `Unit price`. */
export function words(name: string): string {
  const text = name.replace(
    /([a-z0-9])([A-Z])/g,
    (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
  )
  return capital(text)
}

export function labelOf({ name, label, relation }: FieldDescription): string {
  return label ?? words(relation ?? name)
}

export function actionLabelOf({ name, label }: Action): string {
  return label ?? words(name)
}

/** @returns the label of a word of an `enum`, such as `In progress` */
export function wordOf({ words: known }: FieldDescription, value: unknown): string {
  const word = String(value)
  return known !== undefined && Object.hasOwn(known, word) ? (known[word] ?? word) : word
}

/** @returns the words of an `enum`, as the API has them */
export function wordsOf({ schema }: FieldDescription): string[] {
  return (schema.enum ?? []).filter((each) => each !== null).map(String)
}

export function pathOf({ path }: Operation, id: string): string {
  return path.replace(':id', encodeURIComponent(id))
}

const time = (name: keyof TimeNames, names: TimeNames | undefined): FieldDescription => ({
  name,
  ...(names !== undefined && { label: names[name] }),
  kind: 'timestamp',
  description: null,
  isNullable: false,
  isRequired: false,
  isReadOnly: true,
  relation: null,
  entity: null,
  fileTypes: [],
  schema: {},
  fields: [],
})

/** @returns the fields of a row, and the two times that every row has */
export function allFields({ fields, times }: EntityDescription): FieldDescription[] {
  return [...fields, time('createdAt', times), time('updatedAt', times)]
}

/** @returns the text by which people recognize the row, for links and pickers */
export function titleOf(entity: EntityDescription, row: Row): string {
  const value = row[entity.title]
  if (value === null || value === undefined || value === '') return row.id
  return typeof value === 'number'
    ? `${capital(entity.label)} ${value}`
    : lineOf(titleField(entity), String(value))
}

/** @returns the title for people. A number gets the name of the entity, such as `Invoice 41`. */
export function shownTitle(entity: EntityDescription, title: string): string {
  return /^\d+$/.test(title) ? `${capital(entity.label)} ${title}` : lineOf(titleField(entity), title)
}

function titleField({ fields, title }: EntityDescription): FieldDescription | undefined {
  return fields.find(({ name }) => name === title)
}

/** @returns the line without the marks of Markdown, if the field has Markdown */
export function lineOf(field: FieldDescription | undefined, line: string): string {
  return field?.widget?.kind === 'markdown' ? line.replace(/\*\*|`|^(?:#{1,6}|[-*+]) /gm, '') : line
}

/** Whether the state of the row allows the action. */
export function isPossible({ from }: Action, row: Row): boolean {
  return Object.entries(from).every(([member, values]) => values.includes(row[member]))
}

/** Whether the user can restore a deleted row. */
export function isRestorable({ trashDays, operations }: EntityDescription): boolean {
  return (trashDays ?? null) !== null && operations.create !== undefined
}

/** @returns the action that undoes another one, if the user can do it without an input */
export function inverseOf({ actions }: EntityDescription, { console }: Action): Action | undefined {
  return actions.find(({ name, input }) => name === console?.undo && input === null)
}
