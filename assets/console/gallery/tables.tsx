/** The sections of the gallery with tables of built-in lists and of entities. */
import { Inbox } from 'lucide'
import { useState } from 'preact/hooks'
import { type Column, DataTable } from '../component/data-table.tsx'
import { Icon } from '../component/icon.tsx'
import { MomentInWords } from '../component/moment-in-words.tsx'
import { Pager } from '../component/pager.tsx'
import { useSelection } from '../component/selection.ts'
import { StatusBadge } from '../component/status-badge.tsx'
import type { FieldDescription, Row } from '../describe.ts'
import { FilterBar } from '../entity/filter-bar.tsx'
import { RowCards } from '../entity/row-cards.tsx'
import { RowTable } from '../entity/row-table.tsx'
import type { Loaded } from '../load.ts'
import { entity, failure, fields, long, nothing, rightToLeft, rows } from './sample.ts'
import { InEachState, Section, Specimen } from './specimen.tsx'

const words = {
  title: 'Tables',
  grid: 'Lists of rows',
  deliveries: 'Deliveries',
  none: 'Nothing was sent yet.',
}

interface Delivery {
  id: string
  type: string
  status: string
  attempts: number
  at: string | null
}

const deliveries: readonly Delivery[] = [
  { id: '1', type: 'order.paid', status: 'SUCCEEDED', attempts: 1, at: '2026-01-31T09:15:00.000Z' },
  { id: '2', type: long, status: 'DEAD', attempts: 12, at: null },
  { id: '3', type: rightToLeft, status: 'RUNNING', attempts: 3, at: '2026-01-30T21:00:00.000Z' },
]

const columns: readonly Column<Delivery>[] = [
  { label: 'Event', show: ({ type }) => type, isWide: true },
  { label: 'Status', show: ({ status }) => <StatusBadge word={status} /> },
  { label: 'Attempts', show: ({ attempts }) => attempts, isNumber: true },
  { label: 'Created', show: ({ at }) => at !== null && <MomentInWords value={at} /> },
]

const filled = loaded(deliveries)

export function Tables() {
  return (
    <Section title={words.title}>
      <div class="gallery wide">
        <InEachState show={(state) => <DeliveryTable name={state} of={filled} />} />
        <Specimen name="loading">
          <DeliveryTable name="loading" of={{ ...loaded(null), isLoading: true }} />
        </Specimen>
        <Specimen name="loading again">
          <DeliveryTable name="loading again" of={{ ...filled, isLoading: true }} />
        </Specimen>
        <Specimen name="empty">
          <DeliveryTable name="empty" of={loaded([])} />
        </Specimen>
        <Specimen name="error">
          <DeliveryTable name="error" of={{ ...loaded(null), error: failure }} />
        </Specimen>
        <Specimen name="right to left" direction="rtl">
          <DeliveryTable name="right to left" of={filled} />
        </Specimen>
        <Specimen name="boxes">
          <ChosenTable />
        </Specimen>
      </div>
      <Pager list={list} label={words.deliveries} />
    </Section>
  )
}

export function Grids() {
  return (
    <Section title={words.grid}>
      <Specimen name="filters">
        <FilterBar
          entity={entity}
          filters={fields.slice(0, 3).map((field) => ({ field, operator: 'eq', value: filterOf(field) }))}
          useless={[
            { parameter: 'gone[gte]', words: 'gone[gte]', isGone: true },
            { parameter: 'price[lt]', words: 'price abc', isGone: false },
          ]}
          search=""
          onSearch={nothing}
          onAdd={nothing}
          onRemove={nothing}
        />
      </Specimen>
      <InEachState show={(state) => <Grid name={state} rows={rows} />} />
      <Specimen name="loading">
        <Grid name="loading" rows={null} />
      </Specimen>
      <Specimen name="grouped">
        <Grid name="grouped" rows={rows} {...(statusField !== undefined && { group: statusField })} />
      </Specimen>
      <Specimen name="right to left" direction="rtl">
        <Grid name="right to left" rows={rows} />
      </Specimen>
      <Specimen name="on phones">
        <RowCards entity={entity} columns={shownFields} rows={rows} isLoading={false} search="" />
      </Specimen>
      <Specimen name="on phones, loading">
        <RowCards entity={entity} columns={shownFields} rows={null} isLoading search="" />
      </Specimen>
    </Section>
  )
}

const statusField = fields.find(({ name }) => name === 'status')
const shownFields = fields.filter(({ kind }) => kind !== 'json').slice(0, 7)

interface GridProps {
  name: string
  rows: readonly Row[] | null
  group?: FieldDescription
}

function Grid({ name, rows: given, group }: GridProps) {
  const [sort, setSort] = useState('subject')
  const selection = useSelection('', given ?? [])
  return (
    <RowTable
      entity={{ ...entity, labels: `${entity.labels}, ${name}` }}
      columns={shownFields}
      rows={given}
      isLoading={given === null}
      sort={sort}
      onSort={setSort}
      selection={selection}
      widths={{}}
      widthOf={() => 140}
      onWidths={nothing}
      onColumns={nothing}
      editing={editing}
      search="fire"
      density={null}
      peeked="two"
      onPeek={nothing}
      group={group ?? null}
    />
  )
}

const editing = {
  cell: null,
  canEdit: () => false,
  begin: nothing,
  cancel: nothing,
  save: nothing,
  change: nothing,
  shown: (row: Row) => row,
}

function DeliveryTable({ name, of }: { name: string; of: Loaded<readonly Delivery[]> }) {
  return (
    <DataTable
      label={`${words.deliveries}, ${name}`}
      columns={columns}
      loaded={of}
      keyOf={({ id }) => id}
      onOpen={nothing}
      empty={
        <>
          <Icon node={Inbox} class="large" />
          <p>{words.none}</p>
        </>
      }
    />
  )
}

function ChosenTable() {
  const selection = useSelection('', deliveries)
  return (
    <DataTable
      label={words.deliveries}
      columns={columns}
      loaded={filled}
      keyOf={({ id }) => id}
      choice={{ selection, titleOf: ({ type }) => type }}
      empty={null}
    />
  )
}

function loaded(data: readonly Delivery[] | null): Loaded<readonly Delivery[]> {
  return { data, error: null, isLoading: false, reload: nothing }
}

const list = {
  ...filled,
  query: {},
  from: 51,
  next: 'next',
  total: 1284,
  isFiltered: false,
  show: nothing,
  showPage: nothing,
}

function filterOf({ kind }: FieldDescription): string {
  return kind === 'enum' ? 'open' : kind === 'integer' ? '1' : long
}
