import { defineConfig } from '../../src/index.ts'
import { expense } from './approver.ts'
import { project, remark, task } from './hierarchy.ts'
import { memo } from './own-rows.ts'
import { article } from './published.ts'
import { device } from './secret-fields.ts'
import { employee, payslip, salary } from './shown-by-some.ts'
import { crew, crewMember, shift } from './teams.ts'

export default defineConfig({
  features: [
    ...[memo, crew, crewMember, shift, project, task, remark, article, device, expense],
    ...[employee, salary, payslip],
  ],
})
