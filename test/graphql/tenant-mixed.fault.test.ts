import { keepApart } from './tenant/mixed.ts'

keepApart(3000)
