/** Shows Markdown, and the input for it with a preview. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Tabs } from '../component/tabs.tsx'
import { text } from '../text/text.ts'
import { markdownOf } from './markdown.ts'

export function Markdown({ source }: { source: string }) {
  return <div class="markdown">{markdownOf(source)}</div>
}

/** @param children the control for the text */
export function MarkdownInput({ source, children }: { source: string; children: ComponentChildren }) {
  const [current, setCurrent] = useState<string | null>(null)
  return (
    <Tabs
      label={text.form.preview}
      tabs={[
        { name: 'text', label: text.form.source, show: () => children },
        { name: 'preview', label: text.form.preview, show: () => <Markdown source={source} /> },
      ]}
      current={current}
      onChange={setCurrent}
    />
  )
}
