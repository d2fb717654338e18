/** The page with all charts of the service. */
import { Clock } from 'lucide'
import { PageHead } from '../../component/page-head.tsx'
import { text } from '../../text/text.ts'
import { FigureCharts } from './figure-charts.tsx'

const texts = text.operator.figures

export function FiguresPage() {
  return (
    <div class="stack">
      <PageHead icon={Clock} title={texts.title} subtitle={texts.explained} />
      <FigureCharts />
    </div>
  )
}
