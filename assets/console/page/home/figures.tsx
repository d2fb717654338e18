/** Cards with the number of rows of each entity, and of new rows in the last days. */
import { useApp } from '../../app-context.ts'
import { Icon } from '../../component/icon.tsx'
import { Sparkline } from '../../component/sparkline.tsx'
import { capital, type EntityDescription, type FieldDescription, labelOf } from '../../describe.ts'
import { numberText } from '../../entity/plain-text.ts'
import { hrefOf } from '../../router.ts'
import { groupsOf } from '../../shell/entity-groups.ts'
import { iconOf } from '../../shell/entity-icon.ts'
import { language, numbers, text } from '../../text/text.ts'
import type { EntityFigures, HomeData } from './home-data.ts'

const maxCards = 8
const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' })

/** @param data `null` while it is loaded: the empty cards are shown already, so that nothing moves */
export function Figures({ data }: { data: HomeData | null }) {
  const { entities } = useApp()
  const shown = groupsOf(entities)
    .flatMap(([, members]) => members)
    .filter(({ operations }) => operations.list !== undefined)
    .filter(({ name }) => data === null || data.entities.some((each) => each.entity === name))
    .slice(0, maxCards)
  const leftOut = entities.filter(({ name }) => data?.leftOut.includes(name))
  if (shown.length === 0 && leftOut.length === 0) return null
  return (
    <section class="stack" aria-label={text.home.figures} aria-busy={data === null}>
      <div class="charts">
        {shown.map((entity) => (
          <NamedFigure
            key={entity.name}
            entity={entity}
            figures={data?.entities.find((each) => each.entity === entity.name)}
          />
        ))}
        {shown.map((entity) => (
          <FigureCard
            key={entity.name}
            entity={entity}
            figures={data?.entities.find((each) => each.entity === entity.name)}
          />
        ))}
      </div>
      {leftOut.length > 0 && (
        <p class="note">{text.home.leftOut(leftOut.map(({ labels }) => labels).join(', '))}</p>
      )}
    </section>
  )
}

interface FigureCardProps {
  entity: EntityDescription
  figures: EntityFigures | undefined
}

function FigureCard({ entity, figures }: FigureCardProps) {
  const labels = capital(entity.labels)
  return (
    <a class="card figure-card" href={hrefOf(`/entities/${entity.name}`)}>
      <span class="row soft">
        <Icon node={iconOf(entity.console?.iconPath)} />
        <span class="truncate">{labels}</span>
      </span>
      <span class="figure">{figures === undefined ? '\u00a0' : countOf(figures)}</span>
      <span class="figure-foot">
        <Change figures={figures} />
        {figures?.created != null && (
          <Sparkline values={figures.created} label={text.home.created(labels, figures.created.length)} />
        )}
      </span>
    </a>
  )
}

/** The figure that the definition names, with a link to the rows from which it is calculated. */
function NamedFigure({ entity, figures }: FigureCardProps) {
  const hint = entity.console?.home
  if (hint === undefined) return null
  const { figure, label, if: condition = {} } = hint
  const field = entity.fields.find(({ name }) => figure.endsWith(`(${name})`))
  const labels = capital(entity.labels)
  return (
    <a class="card figure-card" href={hrefOf(`/entities/${entity.name}`, condition)}>
      <span class="row soft">
        <Icon node={iconOf(entity.console?.iconPath)} />
        <span class="truncate">
          {label ?? (field === undefined ? labels : `${labels}: ${labelOf(field)}`)}
        </span>
      </span>
      <span class="figure">{figures === undefined ? '\u00a0' : valueText(field, figures.figure)}</span>
      <span class="figure-foot" />
    </a>
  )
}

function valueText(field: FieldDescription | undefined, value: string | null): string {
  if (value === null) return '–'
  return field === undefined ? numbers.format(Number(value)) : numberText(field, value)
}

function Change({ figures }: { figures: EntityFigures | undefined }) {
  if (figures === undefined || figures.change === null) return <span class="note">{'\u00a0'}</span>
  const days = figures.created?.length ?? 0
  const change = figures.change === 0 ? '±0' : signed.format(figures.change)
  const words = text.home.changed(change, days)
  return <span class={figures.change > 0 ? 'note good' : 'note'}>{words}</span>
}

function countOf({ count, isCapped }: EntityFigures): string {
  const shown = numbers.format(count)
  return isCapped ? text.home.counted(shown) : shown
}
