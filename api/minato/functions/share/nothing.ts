// Stands for modules that are types alone.
export {};
