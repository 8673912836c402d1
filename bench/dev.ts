import { measureMessages } from './memory/messages.ts'
for (const { name, value } of measureMessages((line) => console.log(line), process.argv.slice(2) as never)) console.log(name, value)
