/** What is left of reasoning that need not be read again: providers want the field, and take no empty one. */
export const distilledReasoning = '—'
