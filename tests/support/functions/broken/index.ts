throw new Error('never begins');
