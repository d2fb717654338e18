/** The sections of the gallery with heads of pages, tabs and figures. */
import { Bell, Webhook } from 'lucide'
import { useState } from 'preact/hooks'
import { BarChart } from '../component/bar-chart.tsx'
import { BrandTile } from '../component/brand-tile.tsx'
import { DayInWords, MomentInWords } from '../component/moment-in-words.tsx'
import { PageHead } from '../component/page-head.tsx'
import { Sparkline } from '../component/sparkline.tsx'
import { Badge } from '../component/status-badge.tsx'
import { Tabs } from '../component/tabs.tsx'
import { Tile, tints } from '../component/tile.tsx'
import { Values } from '../component/values.tsx'
import { labelOf } from '../describe.ts'
import { Value } from '../entity/value.tsx'
import { entity, fields, long, rightToLeft, rows } from './sample.ts'
import { InEachState, Section, Specimen } from './specimen.tsx'

const words = {
  heads: 'Heads, tabs and tiles',
  figures: 'Values and figures',
  title: 'hooks.example.com',
  active: 'Active',
  edit: 'Edit',
  pause: 'Pause',
  tabs: 'Parts of a ticket',
  chart: 'Deliveries of 24 hours',
  line: '14 days: 120, before 96',
}
const tabs = ['Details', 'Comments', 'History'].map((label, index) => ({
  name: label,
  label,
  count: index === 1 ? 3 : null,
  show: () => <p>{label}</p>,
}))
const bars = Array.from({ length: 24 }, (_, hour) => ({
  label: `${hour}:00`,
  good: (hour * 7) % 31,
  bad: hour % 9 === 0 ? 4 : 0,
}))
const noBars = bars.map(({ label }) => ({ label, good: 0, bad: 0 }))
const names = { span: 'Hour', good: 'Delivered', bad: 'Failed' }

export function Heads() {
  return (
    <Section title={words.heads}>
      <Specimen name="head">
        <Head title={words.title} />
      </Specimen>
      <Specimen name="head, long text">
        <Head title={long} />
      </Specimen>
      <Specimen name="head, right to left" direction="rtl">
        <Head title={rightToLeft} />
      </Specimen>
      <div class="gallery">
        <InEachState show={() => <SomeTabs />} />
        <Specimen name="tabs, right to left" direction="rtl">
          <SomeTabs />
        </Specimen>
        <Specimen name="tiles">
          <div class="row">
            {tints.map((tint) => (
              <Tile key={tint} name={tint} tint={tint} />
            ))}
            <Tile name="Ada Lovelace" size="small" isRound />
            <Tile name="" icon={Bell} size="large" />
            <BrandTile brand={null} name={rightToLeft} />
          </div>
        </Specimen>
      </div>
    </Section>
  )
}

export function Figures() {
  return (
    <Section title={words.figures}>
      <div class="gallery">
        {rows.map((row) => (
          <Specimen key={row.id} name={`values of row ${row.id}`}>
            <Values
              values={fields.map((field) => [
                labelOf(field),
                <Value key={field.name} field={field} value={row[field.name]} entity={entity} />,
              ])}
            />
          </Specimen>
        ))}
        <Specimen name="times">
          <p>
            <MomentInWords value={new Date().toISOString()} />{' '}
            <MomentInWords value="2020-02-29T12:00:00.000Z" /> <MomentInWords value={null} />{' '}
            <DayInWords value="2026-01-31" />
          </p>
        </Specimen>
        <Specimen name="sparkline">
          <Sparkline values={[3, 5, 4, 8, 9, null, 7, 12]} label={words.line} />
        </Specimen>
        <Specimen name="bars">
          <BarChart bars={bars} label={words.chart} names={names} />
        </Specimen>
        <Specimen name="bars, empty">
          <BarChart bars={noBars} label={words.chart} names={names} />
        </Specimen>
      </div>
    </Section>
  )
}

function Head({ title }: { title: string }) {
  return (
    <PageHead
      icon={Webhook}
      title={title}
      subtitle={title}
      badges={<Badge tone="good">{words.active}</Badge>}
    >
      <button type="button">{words.pause}</button>
      <button type="button" class="main">
        {words.edit}
      </button>
    </PageHead>
  )
}

function SomeTabs() {
  const [current, setCurrent] = useState('Details')
  return <Tabs label={words.tabs} tabs={tabs} current={current} onChange={setCurrent} />
}
