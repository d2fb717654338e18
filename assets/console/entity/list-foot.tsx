/** The foot of a list: which rows of how many are shown, and the buttons for other pages. */
import { ChevronLeft, ChevronRight } from 'lucide'
import { Icon } from '../component/icon.tsx'
import { capital, type EntityDescription } from '../describe.ts'
import { numbers, text } from '../text/text.ts'
import type { ListAddress } from './list-address.ts'
import type { Page } from './rows.ts'

interface FootProps {
  entity: EntityDescription
  page: Page | null
  address: ListAddress
}

export function ListFoot({ entity, page, address: { query, show } }: FootProps) {
  const next = page?.next ?? null
  const isFirst = !query.has('cursor')
  const count = page?.rows.length ?? 0
  if (page !== null && count === 0 && isFirst) return null
  return (
    <footer class="list-foot">
      <span class="figures">{page !== null && count > 0 && shownOf(count, page.total, isFirst)}</span>
      {(!isFirst || next !== null) && (
        <nav class="row" aria-label={capital(entity.labels)}>
          {!isFirst && (
            <button type="button" class="plain" onClick={() => show({})}>
              <Icon node={ChevronLeft} />
              {text.action.first}
            </button>
          )}
          {next !== null && (
            <button type="button" class="plain" onClick={() => show({ cursor: next }, { keepsPage: true })}>
              {text.action.next}
              <Icon node={ChevronRight} />
            </button>
          )}
        </nav>
      )}
    </footer>
  )
}

function shownOf(count: number, total: number | null, isFirst: boolean): string {
  if (total === null) return numbers.format(count)
  if (!isFirst) return text.table.countOf(numbers.format(count), numbers.format(total))
  return text.table.range(1, numbers.format(count), numbers.format(total))
}
