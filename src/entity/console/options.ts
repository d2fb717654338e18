/** What a definition may say of how the console shows its rows. Names are those of its fields. */
import type {
  ActionHints,
  Density,
  ListLayout,
  Tint,
  Tone,
  WidgetKind,
} from '../../core/feature/console-hints.ts'
import type { IconName } from '../../core/feature/icons.ts'
import type { EntityLabels } from '../../core/language/language.ts'
import type { Fields } from '../field.ts'

type FieldName<F> = keyof F & string
type Column<F> = FieldName<F> | 'createdAt' | 'updatedAt'
type Sort<F> = Column<F> | `-${Column<F>}`

type Operator =
  | 'neq'
  | 'in'
  | 'nin'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'ieq'
  | 'icontains'
  | 'istartsWith'
  | 'iendsWith'
  | 'isNull'

/**
 * A condition is written like the query parameters of a list: `{ status: 'open', 'dueOn[lt]': 'today' }`. A day or a
 * moment may be `today` or `now`, also with a number of days: `today-7`.
 */
export type Condition<F> = {
  readonly [N in Column<F> | `${Column<F>}[${Operator}]`]?: string | number | boolean
}

/** Text with at least one `{field}`, or `{reference.field}`. */
type Template<F> = `${string}{${FieldName<F>}}${string}` | `${string}{${FieldName<F>}.${string}}${string}`

export type WidgetOption = WidgetKind | { readonly currency: string }

interface ViewOptions<F> {
  name: string
  filter: Condition<F>
  sort?: Sort<F>
  /** `board` has a column for each word of `group`, an enum; `calendar` a place for each day of `group`. */
  layout?: ListLayout
  group?: Column<F>
}

interface SectionOptions<F> {
  title: string
  description?: string
  fields: readonly Column<F>[]
  /** Whether the section stands beside the other ones. */
  side?: boolean
  /** Whether the section is closed at first. */
  folded?: boolean
  /** The condition for rows that show the section. */
  if?: Condition<F>
}

export type WordTones = Readonly<Record<string, Tone>>

export interface ComputedBadge<F> {
  if: Condition<F>
  /** The text of the badge; by default the name of the badge in words. */
  text?: string
  tone: Tone
}

export interface RelatedOptions {
  /** The field that refers to this entity, if there are several. */
  by?: string
  columns?: readonly string[]
  sort?: string
  max?: number
  /** Whether the console offers to add a related row. */
  create?: boolean
}

/** @typeParam A the actions */
export interface ConsoleOptions<F extends Fields, A> {
  /** A name, or the path of an icon of your own (SVG), 24 units wide and high, drawn as a line. */
  icon?: IconName | { readonly path: string }
  tint?: Tint
  /** The heading in the navigation under which the entity stands. */
  group?: string
  /** The place in the group. */
  order?: number
  hidden?: 'navigation'
  /** The field by which people recognise a row. */
  title?: FieldName<F>
  subtitle?: Template<F>
  /** A field of the kind `file`, whose image the console shows. */
  image?: FieldName<F>
  list?: {
    columns?: readonly Column<F>[]
    sort?: Sort<F>
    density?: Density
    views?: readonly ViewOptions<F>[]
    group?: FieldName<F>
    pageSize?: number
  }
  sections?: readonly SectionOptions<F>[]
  widgets?: { readonly [N in FieldName<F>]?: WidgetOption }
  /** Tones of the words of an enum, by its field; or badges of their own. */
  badges?: Readonly<Record<string, WordTones | ComputedBadge<F>>>
  /** Entities whose rows refer to this one, by their plural. */
  related?: Readonly<Record<string, RelatedOptions>>
  actions?: {
    readonly [N in keyof A]?: Omit<ActionHints, 'iconPath' | 'undo'> & { undo?: keyof A & string }
  }
  /** A sentence of help, or the address of a page with help. */
  help?: string
  /** A figure on the first page; `label` is what it is called: `Open tickets`. */
  home?: {
    figure: 'count' | `${'sum' | 'avg'}(${FieldName<F>})`
    label?: string
    if?: Condition<F>
  }
}

/** The hints of any entity. */
export type AnyConsoleOptions = ConsoleOptions<Fields, Record<string, unknown>>

/** Names in one language; English ones follow from the definition. @typeParam A the actions */
export interface LabelOptions<F extends Fields, A>
  extends Omit<EntityLabels, 'fields' | 'words' | 'actions'> {
  fields?: { readonly [N in FieldName<F> | `${FieldName<F>}.${string}`]?: string }
  words?: {
    readonly [N in FieldName<F>]?: { readonly [W in F[N]['types']['value'] & string]?: string }
  }
  actions?: { readonly [N in keyof A]?: string }
}

export type LabelsOfLanguages<F extends Fields, A> = Readonly<Record<string, LabelOptions<F, A>>>
